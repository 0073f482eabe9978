import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidate } from './candidates.js'
import { accepting, freePort, startProgram, stopProgram } from './processes.js'

/** nginx as a plain reverse proxy: what passing bytes on costs at least. */
export async function startNginx(upstream: string, folder: string): Promise<Candidate | string> {
  const { status, stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  if (status !== 0) return 'nginx is not installed (Debian: apt-get install nginx-light)'
  const port = await freePort()
  const home = join(folder, 'nginx')
  mkdirSync(home)
  const file = join(home, 'nginx.conf')
  writeFileSync(file, configuration(home, port, new URL(upstream).host))
  const child = startProgram('nginx', ['-p', home, '-c', file, '-e', join(home, 'error.log')])
  await accepting(port, child)
  return {
    name: 'nginx',
    version: stderr.trim().replace(/^.*\//, ''),
    port,
    pid: child.pid ?? 0,
    headers: {},
    stop: () => stopProgram(child),
  }
}

const configuration = (home: string, port: number, upstream: string) => `
daemon off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log ${home}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_timeout 120s;
  keepalive_requests 10000000;
  client_max_body_size 100m;
  client_body_buffer_size 1m;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${home}/${name};`).join('\n')}
  upstream provider {
    server ${upstream};
    keepalive 64;
    keepalive_requests 10000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`
