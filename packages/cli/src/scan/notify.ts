import { spawn } from 'node:child_process'
import type { Host } from '../host.js'
import { printable } from '../printable.js'
import { oneLine } from '../words.js'

/**
 * Shows a message on the desktop, where the system has a way; settles when that is done, and failures are ignored. The
 * words come from transcripts: no shell sees them, and no program reads them as an option or as code.
 */
export function notify(host: NotifyHost, title: string, text: string): Promise<void> {
  const way = wayOf(host, toWords(title), toWords(text))
  if (!way) return Promise.resolve()
  const { command, args, script = '', env = {} } = way
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { ...host.env, ...env },
    })
    child.on('error', () => resolve())
    child.on('close', () => resolve())
    // it need not read it
    child.stdin.on('error', () => {})
    child.stdin.end(script)
    child.unref()
  })
}

type NotifyHost = Pick<Host, 'platform' | 'env'>

/** A program that shows it: what is code in its arguments or on its standard input is always the same. */
interface Way {
  command: string
  args: string[]
  script?: string
  env?: NodeJS.ProcessEnv
}

function wayOf({ platform, env }: NotifyHost, title: string, text: string): Way | undefined {
  switch (platform) {
    case 'linux':
      // the second of them may have marks, such as links
      return { command: 'notify-send', args: ['--app-name=unloop', '--', title, escaped(text)] }
    case 'darwin':
      // what follows the file of the script, here standard input, is data even if it begins with a dash
      return { command: 'osascript', args: ['-', title, text], script: SCRIPT }
    case 'win32':
      return {
        // by its whole path: of its name alone there could be one in the folder we are in
        command: `${env.SystemRoot ?? 'C:\\Windows'}${POWERSHELL}`,
        args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', toBase64(TOAST)],
        env: { UNLOOP_TITLE: title, UNLOOP_TEXT: text },
      }
    default:
      return
  }
}

// more does not fit into a notification
const LENGTH = 240

const toWords = (text: string) => oneLine(printable(text), LENGTH)

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const SCRIPT = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run
`

const POWERSHELL = '\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'

const TOAST = `[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)
$nodes = $xml.GetElementsByTagName('text')
[void]$nodes.Item(0).AppendChild($xml.CreateTextNode($env:UNLOOP_TITLE))
[void]$nodes.Item(1).AppendChild($xml.CreateTextNode($env:UNLOOP_TEXT))
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('unloop').Show([Windows.UI.Notifications.ToastNotification]::new($xml))`

// as -EncodedCommand wants it
const toBase64 = (script: string) => Buffer.from(script, 'utf16le').toString('base64')
