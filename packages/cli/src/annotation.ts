/** What an annotation is about. */
export interface AnnotationPlace {
  title?: string
  file?: string
  line?: number
}

/** A workflow command of GitHub Actions that shows a message on the page of the run. */
export function toAnnotation(
  level: 'error' | 'warning' | 'notice',
  message: string,
  { file, line, title }: AnnotationPlace,
): string {
  const properties = Object.entries({ file, line, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${inProperty(`${value}`)}`)
  return `::${level} ${properties.join(',')}::${inMessage(message)}`
}

const inMessage = (text: string) =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const inProperty = (text: string) => inMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
