import type { Random } from '../../random.js'

/**
 * How a program words what happens, as recorded sessions show it; several of a kind are several versions of the
 * program, or several of its tools. `{path}`, `{text}`, `{name}`, `{root}` stand for something of the run.
 */
export interface Wording {
  edited: readonly string[]
  editFailed: readonly string[]
  noMatches: readonly string[]
  noFile: readonly string[]
  noTool: readonly string[]
  /** a command that printed nothing and succeeded */
  silent: readonly string[]
}

/** One version of a program: each thing is worded in one way throughout a run. */
export type Version = Record<keyof Wording, (values: Record<string, string>) => string>

export function chooseVersion(random: Random, wording: Wording): Version {
  const entries = Object.entries(wording).map(([what, versions]) => {
    const template = random.pick(versions as readonly string[])
    const say = (values: Record<string, string>) =>
      template.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole)
    return [what, say] as const
  })
  return Object.fromEntries(entries) as Version
}

export const claudeCodeWording: Wording = {
  edited: [
    "The file {path} has been updated. Here's the result of running `cat -n` on a snippet:\n{text}",
    'The file {path} has been updated successfully.',
    'The file {path} has been updated successfully. (file state is current in your context — no need to Read it back)',
  ],
  editFailed: [
    'String to replace not found in file.',
    '<tool_use_error>String to replace not found in file.\nString: {text}</tool_use_error>',
    '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
    '<tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>',
  ],
  noMatches: ['No matches found', 'No files found'],
  noFile: [
    'File does not exist.',
    '<tool_use_error>File does not exist.</tool_use_error>',
    'File does not exist. Note: your current working directory is {root}.',
  ],
  noTool: ['<tool_use_error>Error: No such tool available: {name}</tool_use_error>'],
  silent: ['', '(Bash completed with no output)'],
}

export const codexWording: Wording = {
  edited: [
    'Success. Updated the following files:\nM {path}\n',
    'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM {path}\n',
  ],
  editFailed: [
    'apply_patch verification failed: Failed to find expected lines in {path}',
    'apply_patch verification failed: Failed to find expected lines in {path}:\n{text}',
  ],
  noMatches: [''],
  noFile: ["sed: can't read {path}: No such file or directory\n"],
  noTool: ['unsupported call: {name}'],
  silent: [''],
}

export const geminiCliWording: Wording = {
  edited: [
    'Successfully modified file: {path} (1 replacements).',
    'Successfully modified file: {path} (1 replacements). Here is the updated code:\n{text}',
  ],
  editFailed: [
    'Failed to edit, 0 occurrences found for old_string in {path}. No edits made.',
    "Failed to edit, 0 occurrences found for old_string in {path}. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.",
    'No changes to apply. The old_string and new_string are identical in file: {path}',
  ],
  noMatches: ['No matches found for pattern "{text}" in the workspace directory.'],
  noFile: ['File not found: {path}'],
  noTool: [
    'Tool "{name}" not found in registry.',
    'Tool "{name}" not found in registry. Tools must use the exact names that are registered.',
  ],
  silent: ['(empty)'],
}

export const qwenCodeWording: Wording = {
  ...geminiCliWording,
  edited: [
    'The file: {path} has been updated. Showing lines 3-9 of 120 from the edited file:\n\n---\n\n{text}',
    'Successfully modified file: {path} (1 replacements).',
  ],
}

export const openCodeWording: Wording = {
  edited: ['', 'Edit applied successfully.'],
  editFailed: [
    'Error: oldString not found in content',
    'Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.',
    'You must read file {path} before overwriting it. Use the Read tool first',
  ],
  noMatches: ['No files found'],
  noFile: ['Error: File not found: {path}', 'File not found: {path}'],
  noTool: ["Model tried to call unavailable tool '{name}'."],
  silent: ['', '(no output)'],
}

export const clineWording: Wording = {
  edited: [
    'The content was successfully saved to {path}.\n\nHere is the full, updated content of the file that was saved:\n\n<final_file_content path="{path}">\n{text}\n</final_file_content>',
  ],
  editFailed: [
    "The tool execution failed with the following error:\n<error>\nThe SEARCH block:\n{text}\n...does not match anything in the file.\n\nThis is likely because the SEARCH block content doesn't match exactly with what's in the file.\n</error>",
  ],
  noMatches: ['Found 0 results.'],
  noFile: [
    "The tool execution failed with the following error:\n<error>\nError reading file: ENOENT: no such file or directory, open '{path}'\n</error>",
  ],
  noTool: [
    "[ERROR] You did not use a tool in your previous response! Please retry with a tool use. ('{name}' is not one.)",
  ],
  silent: ['Command executed.'],
}

export const cursorWording: Wording = {
  edited: [
    'The apply model made the following changes to the file:\n\n```\n{text}\n```',
    'The file {path} has been updated.',
  ],
  editFailed: [
    'The string to replace was not found in the file.',
    'The apply model made no changes to the file.',
  ],
  noMatches: ['No results found.', 'No matches found'],
  noFile: ["Could not find file '{path}' in the workspace.", 'File not found.'],
  noTool: ["Tool '{name}' not found."],
  silent: [''],
}

export const openHandsWording: Wording = {
  edited: [
    "The file {path} has been edited. Here's the result of running `cat -n` on a snippet of {path}:\n{text}\nReview the changes and make sure they are as expected. Edit the file again if necessary.",
  ],
  editFailed: [
    'ERROR:\nNo replacement was performed, old_str did not appear verbatim in {path}.',
    'ERROR:\nNo replacement was performed, old_str `{text}` did not appear verbatim in {path}.',
    'ERROR:\nInvalid `new_str` parameter: new_str and old_str must be different.',
  ],
  noMatches: [''],
  noFile: [
    'ERROR:\nInvalid `path` parameter: {path}. The path {path} does not exist. Please provide a valid path.',
  ],
  noTool: ["Tool '{name}' not found. Available: ['execute_bash', 'str_replace_editor', 'finish']"],
  silent: [''],
}

export const sweAgentWording: Wording = {
  edited: [
    '[File: {path}]\n{text}\nFile updated. Please review the changes and make sure they are correct (correct indentation, no duplicate lines, etc). Edit the file again if necessary.',
    'Text replaced. Please review the changes and make sure they are correct:\n{text}',
  ],
  editFailed: [
    'Your proposed edit has introduced new syntax error(s). Please read this error message carefully and then retry editing the file.\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how your edit would have looked if applied\n-------------------------------------------------\n{text}\n-------------------------------------------------\nYour changes have NOT been applied.',
    'Usage: edit <start_line>:<end_line>\n<replacement_text>\nend_of_edit',
  ],
  noMatches: ['No matches found for "{text}" in {root}'],
  noFile: ['File {path} not found'],
  noTool: ['/bin/bash: line 1: {name}: command not found'],
  silent: ['', 'Your command ran successfully and did not produce any output.'],
}

export const shellWording: Wording = {
  edited: [''],
  editFailed: ["sed: can't read {path}: No such file or directory"],
  noMatches: [''],
  noFile: ['cat: {path}: No such file or directory'],
  noTool: ['/bin/sh: 1: {name}: not found'],
  silent: [''],
}
