import { spawn } from 'node:child_process'

/** Shows a message on the desktop, where the system has a way; failing is no matter. */
export function notify(platform: NodeJS.Platform, title: string, text: string): void {
  const [command, ...args] = commandFor(platform, title, text)
  if (command === undefined) return
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

/** The program that shows it, with its arguments; text is never read as code. */
export function commandFor(platform: NodeJS.Platform, title: string, text: string): string[] {
  switch (platform) {
    case 'linux':
      return ['notify-send', '--app-name=unloop', '--', title, text]
    case 'darwin':
      return ['osascript', '-e', SCRIPT, title, text]
    case 'win32':
      return ['powershell', '-NoProfile', '-Command', TOAST, title, text]
    default:
      return []
  }
}

const SCRIPT = `on run argv
display notification (item 2 of argv) with title (item 1 of argv)
end run`

const TOAST = `param($title, $text)
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)
$nodes = $xml.GetElementsByTagName('text')
[void]$nodes.Item(0).AppendChild($xml.CreateTextNode($title))
[void]$nodes.Item(1).AppendChild($xml.CreateTextNode($text))
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('unloop').Show([Windows.UI.Notifications.ToastNotification]::new($xml))`
