/** A workflow command of GitHub Actions that shows an error on the page of the run. */
export const toAnnotation = (title: string, message: string): string =>
  `::error title=${escaped(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${escaped(message)}`

const escaped = (text: string) =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
