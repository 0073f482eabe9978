import { bash, claude, mini, openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'security'

export const securityLoops: Invented[] = [
  loop(
    {
      name: 'sqlmap on a parameter that is safe',
      domain,
      evidentAt: 14,
      why: 'The tool has said that nothing is injectable; other levels and tampers do not change it.',
      style: claude,
    },
    (run) => {
      run.prompt('CTF: get the flag from http://10.10.11.42/item?id=1 (you own the box).')
      run.until(125, (lap) => {
        const options = run
          .shuffle([
            '--level=5',
            '--risk=3',
            '--random-agent',
            '--technique=BEUSTQ',
            '--dbms=mysql',
            '--flush-session',
            `--tamper=${run.pick(['space2comment', 'between', 'charencode', 'randomcase', 'equaltolike'])}`,
            '--time-sec=10',
            '--threads=4',
          ])
          .slice(0, 1 + (lap % 5))
          .join(' ')
        const time = `${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}`
        run.step(
          lap % 4 ? '' : 'I will try sqlmap with other options.',
          bash(
            `sqlmap -u "http://10.10.11.42/item?id=1" --batch ${options}`,
            `[*] starting @ ${time} /2026-09-01/\n\n[${time}] [INFO] testing connection to the target URL\n[${time}] [WARNING] GET parameter 'id' does not seem to be injectable\n[${time}] [CRITICAL] all tested parameters do not appear to be injectable. Try to increase values for '--level'/'--risk' options if you wish to perform more tests.\n\n[*] ending @ ${time} /2026-09-01/`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'exploit with guessed offsets',
      domain,
      evidentAt: 18,
      why: 'Offsets and addresses are guessed at random and the service closes the connection each time.',
    },
    (run) => {
      run.prompt('pwn: nc 10.0.3.7 31337, binary in /ctf/vuln. Get a shell.')
      run.until(130, (lap) => {
        run.step(
          lap % 3 ? '' : 'THOUGHT: The offset may be slightly different.',
          mini(
            `cat > exploit${lap}.py <<'EOF'\nfrom pwn import *\np = remote('10.0.3.7', 31337)\np.sendlineafter(b'> ', b'A' * ${run.int(16, 400)} + p64(0x40${run.hex(4)}))\np.interactive()\nEOF\npython3 exploit${lap}.py`,
            `[+] Opening connection to 10.0.3.7 on port 31337: Done\n[*] Switching to interactive mode\n[*] Got EOF while reading in interactive\n[*] Closed connection to 10.0.3.7 port 31337`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'scanning a host that is down',
      domain,
      evidentAt: 10,
      why: 'The machine does not answer, whatever the kind of scan; the VPN should be looked at.',
      style: openAi,
    },
    (run) => {
      run.prompt('Enumerate 10.129.8.15 (lab machine).')
      run.until(124, () => {
        const flags = run
          .shuffle([
            '-sV',
            '-sC',
            '-p-',
            '-T4',
            '-A',
            '-sS',
            '-sU',
            '--top-ports 1000',
            '-n',
            '-v',
            '--reason',
            '-F',
            `--min-rate ${run.int(1, 9)}000`,
          ])
          .slice(0, run.int(1, 4))
          .join(' ')
        run.step(
          '',
          plain(
            'execute_command',
            { command: `nmap ${flags} 10.129.8.15`, timeout: run.pick([60, 120, 300]) },
            `Starting Nmap 7.95 ( https://nmap.org ) at 2026-09-0${run.int(1, 9)} ${run.int(10, 23)}:${run.int(10, 59)} UTC\nNote: Host seems down. If it is really up, but blocking our ping probes, try -Pn\nNmap done: 1 IP address (0 hosts up) scanned in ${run.decimal(2, 4)} seconds`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'word lists that are not there',
      domain,
      evidentAt: 12,
      why: 'Path after path is guessed for a word list, and none exists on this machine.',
      style: openAi,
    },
    (run) => {
      run.prompt('Find hidden directories on http://10.0.3.9.')
      run.until(125, () => {
        const list = `/usr/share/${run.pick(['wordlists', 'seclists', 'dirb', 'dirbuster', 'SecLists', 'wfuzz'])}/${run.pick(['Discovery/Web-Content/', 'dirbuster/', '', 'general/', 'Discovery/'])}${run.pick(['common', 'big', 'small', 'raft-medium', 'directory-list-2.3-medium', 'medium', 'quickhits', 'apache'])}${run.pick(['.txt', '-words.txt', '-directories.txt', '.lst'])}`
        run.step(
          '',
          plain(
            'run',
            { cmd: `gobuster dir -u http://10.0.3.9 -w ${list} -q` },
            `Error: error on parsing arguments: wordlist file "${list}" does not exist: stat ${list}: no such file or directory`,
            true,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'the same password list from the start',
      domain,
      evidentAt: 12,
      why: 'The whole list has been tried; starting it over with another number of threads finds nothing new.',
      style: claude,
    },
    (run) => {
      run.prompt('Lab: get SSH access as "ops" on 10.0.3.12 with the list top500.txt.')
      run.until(122, (lap) => {
        const time = `2026-09-01 ${run.int(10, 23)}:${run.int(10, 59)}:${run.int(10, 59)}`
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'Let me run hydra again, slower.',
                'Trying with fewer threads.',
                'Perhaps some attempts were lost.',
              ]),
          bash(
            `hydra -l ops -P top500.txt -t ${run.int(1, 16)} ${run.pick(['', '-f ', '-V ', '-I ', '-W 3 '])}ssh://10.0.3.12`,
            `Hydra v9.5 (c) 2023 by van Hauser/THC & David Maciejak\n[DATA] attacking ssh://10.0.3.12:22/\n1 of 1 target completed, 0 valid password found\nHydra (https://github.com/vanhauser-thc/thc-hydra) finished at ${time}`,
            255,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'decoding the same garbage',
      domain,
      evidentAt: 18,
      why: 'Decoders are put together in any order and the output is never readable.',
      style: openAi,
    },
    (run) => {
      run.prompt('crypto: the flag is in message.enc. Format flag{...}.')
      run.until(130, (lap) => {
        const chain = run
          .shuffle([
            'base64 -d',
            'base32 -d',
            'xxd -r -p',
            'rev',
            "tr 'A-Za-z' 'N-ZA-Mn-za-m'",
            'gunzip',
            'base58 -d',
            'rot47',
          ])
          .slice(0, run.int(2, 3))
          .join(' | ')
        run.step(
          lap % 5 ? '' : 'Another combination of encodings.',
          plain(
            'bash',
            { command: `cat message.enc | ${chain} 2>&1 | head -c 200` },
            run.pick([
              'base64: invalid input',
              'gzip: stdin: not in gzip format',
              'base32: invalid input',
              'base64: invalid input',
            ]),
          ),
        )
      })
    },
  ),
]
