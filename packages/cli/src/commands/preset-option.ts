import { Option } from 'commander'
import { presets } from 'unloop/presets'

/** The option that chats and checks share. */
export const presetOption = () =>
  new Option('--preset <name>', 'use the rules of another tool').choices(Object.keys(presets))
