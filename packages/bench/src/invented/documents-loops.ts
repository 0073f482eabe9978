import { bash, claude, json, openAi, plain } from './frames.js'
import { type Invented, loop, times } from './script.js'

const domain = 'documents'

export const documentLoops: Invented[] = [
  loop(
    {
      name: 'always the same row to translate',
      domain,
      evidentAt: 12,
      why: 'The queue hands out row 17 each time, so the same sentence is translated again and again.',
      style: openAi,
    },
    (run) => {
      run.prompt('Translate the open rows into German until none is left.')
      run.until(128, () => {
        run.step(
          '',
          json('next_row', {}, { row: 17, source: 'Please keep this door closed.', pending: 212 }),
        )
        run.step(
          '',
          json(
            'save_translation',
            {
              row: 17,
              text: run.pick([
                'Bitte diese Tür geschlossen halten.',
                'Bitte halten Sie diese Tür geschlossen.',
                'Diese Tür bitte geschlossen halten.',
                'Tür bitte stets geschlossen halten.',
                'Bitte Tür geschlossen halten!',
              ]),
            },
            { ok: true, saved_at: `2026-09-01T10:${run.int(10, 59)}:${run.int(10, 59)}Z` },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'batch that starts over',
      domain,
      evidentAt: 40,
      why: 'After the twelfth page the converter crashes and the agent begins with page one again.',
      style: claude,
    },
    (run) => {
      run.prompt('Run OCR on the 40 pages in scans/ and put them in one text.')
      run.until(140, () => {
        times(12, (n) =>
          run.step(
            '',
            bash(
              `tesseract scans/p${String(n + 1).padStart(2, '0')}.png out/p${String(n + 1).padStart(2, '0')}`,
              '',
            ),
          ),
        )
        run.step(
          '',
          bash(
            'tesseract scans/p13.png out/p13',
            'Error in pixReadStream: Unknown format: no pix returned\nError during processing.',
            1,
          ),
        )
        run.step('Something went wrong, I will start again.', bash('rm -f out/*.txt', ''))
      })
    },
  ),
  loop(
    {
      name: 'file that no converter takes',
      domain,
      evidentAt: 14,
      why: 'The format is not supported, whatever is asked about the file.',
      style: { turns: true },
    },
    (run) => {
      run.prompt('What does drawing.dwg show?')
      run.until(125, (lap) =>
        run.step(
          lap % 4 ? '' : 'I will phrase the request differently.',
          plain(
            'inspect_file_as_text',
            {
              file_path: 'data/drawing.dwg',
              question: `${run.pick(['Please', 'Kindly', 'Now'])} ${run.pick(['describe', 'summarize', 'list', 'extract'])} ${run.pick(['the drawing', 'all text', 'the layers', 'what is shown', 'the title block'])}${run.pick(['', ' in detail', ' as plain text', ' as Markdown', ' briefly'])}.`,
            },
            "UnsupportedFormatException: Could not convert 'data/drawing.dwg' to Markdown. The formats ['.dwg'] are not supported.",
            true,
          ),
        ),
      )
    },
  ),
  loop(
    {
      name: 'heading levels to and fro',
      domain,
      evidentAt: 16,
      why: 'A heading is made smaller and larger in turn, and nothing else happens to the document.',
      style: claude,
    },
    (run) => {
      run.prompt('Tidy up the structure of handbook.md.')
      run.until(126, (lap) => {
        const [before, after] = lap % 2 ? ['### Leave', '## Leave'] : ['## Leave', '### Leave']
        run.step(
          lap % 3
            ? ''
            : run.pick([
                'The hierarchy is not consistent yet.',
                'This should be one level off.',
                'On reflection the other level fits better.',
              ]),
          {
            name: 'Edit',
            args: {
              file_path: '/docs/handbook.md',
              old_string: `${before}\n`,
              new_string: `${after}\n`,
            },
            output: 'The file /docs/handbook.md has been updated successfully.',
          },
        )
      })
    },
  ),
]
