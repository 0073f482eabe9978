import { Option } from 'commander'
import { presets } from 'unloop/presets'

/** The option that chats and checks share. */
export const presetOption = () =>
  new Option('--preset <name>', 'the rules of a known system instead of ours').choices(
    Object.keys(presets),
  )
