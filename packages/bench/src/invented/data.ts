import type { Call, Run } from './script.js'

/** Tools of a data agent, whose every answer comes with a new handle. */
export const stored = (
  run: Run,
  name: string,
  args: unknown,
  result: string,
  failed = false,
): Call =>
  failed
    ? {
        name,
        args,
        output: `\nThe tool ${name} execution failed. The error message is:\n${result}\n`,
        isError: true,
      }
    : {
        name,
        args,
        output: `\nThe tool ${name} was executed successfully.\n\nThe result is stored under key:\nvar_call_${run.token(24)}\n\nThe result is:\n${result}\n`,
      }
