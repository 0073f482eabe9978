/** The page of the chat: nothing is loaded that is not ours, and only the script with the nonce runs. */
export function chatHtml(page: {
  cspSource: string
  nonce: string
  scriptUri: string
  styleUri: string
  language: string
}): string {
  const { cspSource, nonce, scriptUri, styleUri, language } = page
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${styleUri}">
<title>unloop</title>
</head>
<body>
<script nonce="${nonce}" src="${scriptUri}"></script>
</body>
</html>`
}
