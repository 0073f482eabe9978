// Written by scripts/prices.mjs. Dollars for a million tokens: input, output, cache read, cache write, cache write for
// an hour, and input and output of a context above 200,000 tokens; - where there is none.
export const TABLE_DATE = '2026-08'
export const TABLE_SOURCE = 'public price pages of the providers'
export const TABLE = `
cerebras/gpt-oss-120b 0.35 0.75
cerebras/llama-3.3-70b 0.85 1.2
cerebras/llama3.1-70b 0.6 0.6
cerebras/llama3.1-8b 0.1 0.1
cerebras/qwen-3-32b 0.4 0.8
cerebras/zai-glm-4.6 2.25 2.75
cerebras/zai-glm-4.7 2.25 2.75
chatgpt-4o-latest 5 15
claude-3-5-haiku 0.8 4 0.08 1 1.6
claude-3-5-sonnet 3 15 0.3 3.75 6
claude-3-7-sonnet-20250219 3 15 0.3 3.75 6
claude-3-haiku-20240307 0.25 1.25 0.03 0.3 6
claude-3-opus-20240229 15 75 1.5 18.75 6
claude-4-opus-20250514 15 75 1.5 18.75
claude-4-sonnet-20250514 3 15 0.3 3.75 - 6 22.5
claude-fable-5 10 50 1 12.5 20
claude-haiku-4-5 1 5 0.1 1.25 2
claude-opus-4-1 15 75 1.5 18.75 30
claude-opus-4-20250514 15 75 1.5 18.75 30
claude-opus-4-5 5 25 0.5 6.25 10
claude-opus-4-6 5 25 0.5 6.25 10
claude-opus-4-7 5 25 0.5 6.25 10
claude-opus-4-8 5 25 0.5 6.25 10
claude-opus-5 5 25 0.5 6.25 10
claude-sonnet-4-20250514 3 15 0.3 3.75 6 6 22.5
claude-sonnet-4-5 3 15 0.3 3.75 6 6 22.5
claude-sonnet-4-6 3 15 0.3 3.75 6
claude-sonnet-5 2 10 0.2 2.5 4
codex-mini-latest 1.5 6 0.375
dashscope/qwen-coder 0.3 1.5
dashscope/qwen-max 1.6 6.4
dashscope/qwen-plus 0.4 1.2
dashscope/qwen-turbo 0.05 0.2
dashscope/qwen3-next-80b-a3b-instruct 0.15 1.2
dashscope/qwen3-next-80b-a3b-thinking 0.15 1.2
dashscope/qwen3-vl-235b-a22b-instruct 0.4 1.6
dashscope/qwen3-vl-235b-a22b-thinking 0.4 4
dashscope/qwen3-vl-32b-instruct 0.16 0.64
dashscope/qwen3-vl-32b-thinking 0.16 2.87
dashscope/qwen3.7-max 2.5 7.5 0.5
dashscope/qwq-plus 0.8 2.4
deepseek-chat 0.28 0.42 0.028
deepseek-reasoner 0.28 0.42 0.028
deepseek-v4-flash 0.14 0.28 0.0028 0
deepseek-v4-pro 0.435 0.87 0.003625 0
deepseek/deepseek-chat 0.28 0.42 0.028 0
deepseek/deepseek-coder 0.14 0.28
deepseek/deepseek-r1 0.55 2.19
deepseek/deepseek-v3 0.27 1.1 0.07 0
deepseek/deepseek-v3.2 0.28 0.4
ft:gpt-3.5-turbo 3 6
ft:gpt-3.5-turbo-1106 3 6
ft:gpt-4.1-2025-04-14 3 12 0.75
ft:gpt-4.1-mini-2025-04-14 0.8 3.2 0.2
ft:gpt-4.1-nano-2025-04-14 0.2 0.8 0.05
ft:gpt-4o-2024-08-06 3.75 15 1.875
ft:gpt-4o-2024-11-20 3.75 15 - 1.875
ft:gpt-4o-mini-2024-07-18 0.3 1.2 0.15
ft:o4-mini-2025-04-16 4 16 1
gemini-2.5-flash-native-audio-latest 0.3 2.5
gemini-3.1-flash-live-preview 0.75 4.5
gemini-exp-1206 0.3 2.5 0.03
gemini-flash-latest 0.3 2.5 0.03
gemini-flash-lite-latest 0.1 0.4 0.01
gemini-pro-latest 1.25 10 0.125 - - 2.5 15
gemini/gemini-2.0-flash 0.1 0.4 0.025
gemini/gemini-2.0-flash-lite 0.075 0.3 0.01875
gemini/gemini-2.5-computer-use-preview-10-2025 1.25 10 - - - 2.5 15
gemini/gemini-2.5-flash 0.3 2.5 0.03
gemini/gemini-2.5-flash-lite 0.1 0.4 0.01
gemini/gemini-2.5-flash-lite-preview-06-17 0.1 0.4 0.025
gemini/gemini-2.5-flash-preview-09-2025 0.3 2.5 0.075
gemini/gemini-2.5-pro 1.25 10 0.125 - - 2.5 15
gemini/gemini-2.5-pro-preview-tts 1.25 10 0.125 - - 2.5 15
gemini/gemini-3-flash-preview 0.5 3 0.05
gemini/gemini-3-pro-preview 2 12 0.2 - - 4 18
gemini/gemini-3.1-flash-lite 0.25 1.5 0.025
gemini/gemini-3.1-pro-preview 2 12 0.2 - - 4 18
gemini/gemini-3.1-pro-preview-customtools 2 12 0.2 - - 4 18
gemini/gemini-3.5-flash 1.5 9 0.15
gemini/gemini-3.5-flash-lite 0.3 2.5 0.03
gemini/gemini-3.6-flash 1.5 7.5 0.15
gemini/gemini-exp-1114 0 0
gemini/gemini-exp-1206 0 0
gemini/gemini-flash-latest 0.3 2.5 0.075
gemini/gemini-flash-lite-latest 0.1 0.4 0.025
gemini/gemini-gemma-2-27b-it 0.35 1.05
gemini/gemini-gemma-2-9b-it 0.35 1.05
gemini/gemini-omni-flash-preview 1.5 9
gemini/gemini-robotics-er-1.5-preview 0.3 2.5 0
gemini/gemini-robotics-er-1.6-preview 1 5
gemini/gemini-robotics-er-2-preview 2 10 0.2
gemini/gemma-3-27b-it 0 0
gemini/learnlm-1.5-pro-experimental 0 0
gemini/lyria-3-clip-preview 0 0
gemini/lyria-3-pro-preview 0 0
gpt-3.5-turbo 0.5 1.5
gpt-3.5-turbo-1106 1 2
gpt-3.5-turbo-16k 3 4
gpt-4 30 60
gpt-4-0125-preview 10 30
gpt-4-1106-preview 10 30
gpt-4-turbo 10 30
gpt-4.1 2 8 0.5
gpt-4.1-mini 0.4 1.6 0.1
gpt-4.1-nano 0.1 0.4 0.025
gpt-4o 2.5 10 1.25
gpt-4o-2024-05-13 5 15
gpt-4o-audio-preview 2.5 10
gpt-4o-mini 0.15 0.6 0.075
gpt-4o-mini-audio-preview 0.15 0.6
gpt-4o-mini-search-preview 0.15 0.6 0.075
gpt-4o-search-preview 2.5 10 1.25
gpt-5 1.25 10 0.125
gpt-5-chat 1.25 10 0.125
gpt-5-codex 1.25 10 0.125
gpt-5-mini 0.25 2 0.025
gpt-5-nano 0.05 0.4 0.005
gpt-5-pro 15 120
gpt-5-search-api 1.25 10 0.125
gpt-5.1 1.25 10 0.125
gpt-5.1-chat-latest 1.25 10 0.125
gpt-5.1-codex 1.25 10 0.125
gpt-5.1-codex-max 1.25 10 0.125
gpt-5.1-codex-mini 0.25 2 0.025
gpt-5.2 1.75 14 0.175
gpt-5.2-chat-latest 1.75 14 0.175
gpt-5.2-codex 1.75 14 0.175
gpt-5.2-pro 21 168
gpt-5.3-chat-latest 1.75 14 0.175
gpt-5.3-codex 1.75 14 0.175
gpt-5.4 2.5 15 0.25
gpt-5.4-mini 0.75 4.5 0.075
gpt-5.4-nano 0.2 1.25 0.02
gpt-5.4-pro 30 180 3
gpt-5.5 5 30 0.5
gpt-5.5-pro 30 180 3
gpt-5.6 5 30 0.5 6.25
gpt-5.6-luna 0.2 1.2 0.02 0.25
gpt-5.6-sol 5 30 0.5 6.25
gpt-5.6-terra 2 12 0.2 2.5
gpt-audio 2.5 10
gpt-audio-1.5 2.5 10
gpt-audio-mini 0.6 2.4
groq/gemma-7b-it 0.05 0.08
groq/llama-3.1-8b-instant 0.05 0.08
groq/llama-3.3-70b-versatile 0.59 0.79
groq/meta-llama/llama-4-maverick-17b-128e-instruct 0.2 0.6
groq/meta-llama/llama-4-scout-17b-16e-instruct 0.11 0.34
groq/meta-llama/llama-guard-4-12b 0.2 0.2
groq/moonshotai/kimi-k2-instruct-0905 1 3 0.5
groq/openai/gpt-oss-120b 0.15 0.6 0.075
groq/openai/gpt-oss-20b 0.075 0.3 0.0375
groq/openai/gpt-oss-safeguard-20b 0.075 0.3 0.037
groq/qwen/qwen3-32b 0.29 0.59
minimax/MiniMax-M2 0.3 1.2 0.03 0.375
minimax/MiniMax-M2.1 0.3 1.2 0.03 0.375
minimax/MiniMax-M2.1-lightning 0.3 2.4 0.03 0.375
minimax/MiniMax-M2.5 0.3 1.2 0.03 0.375
minimax/MiniMax-M2.5-lightning 0.3 2.4 0.03 0.375
minimax/MiniMax-M3 0.3 1.2 0.06
mistral/codestral-2405 1 3
mistral/codestral-2508 0.3 0.9
mistral/codestral-mamba-latest 0.25 0.25
mistral/devstral-2512 0.4 2
mistral/devstral-small-2505 0.1 0.3
mistral/labs-devstral-small-2512 0.1 0.3
mistral/magistral-medium-1-2-2509 2 5
mistral/magistral-medium-2506 2 5
mistral/magistral-small-1-2-2509 0.5 1.5
mistral/magistral-small-2506 0.5 1.5
mistral/ministral-3-14b-2512 0.2 0.2
mistral/ministral-3-3b-2512 0.1 0.1
mistral/ministral-3-8b-2512 0.15 0.15
mistral/ministral-8b-2512 0.15 0.15
mistral/mistral-large-2402 4 12
mistral/mistral-large-2407 3 9
mistral/mistral-large-2411 2 6
mistral/mistral-large-2512 0.5 1.5
mistral/mistral-large-3 0.5 1.5
mistral/mistral-large-latest 0.5 1.5
mistral/mistral-medium 2.7 8.1
mistral/mistral-medium-2505 0.4 2
mistral/mistral-medium-2508 0.4 2
mistral/mistral-medium-2604 1.5 7.5
mistral/mistral-medium-3-1-2508 0.4 2
mistral/mistral-medium-3-5 1.5 7.5
mistral/mistral-medium-latest 1.5 7.5
mistral/mistral-small 0.1 0.3
mistral/mistral-small-3-2-2506 0.06 0.18
mistral/mistral-small-latest 0.06 0.18
mistral/mistral-tiny 0.25 0.25
mistral/open-codestral-mamba 0.25 0.25
mistral/open-mistral-7b 0.25 0.25
mistral/open-mistral-nemo 0.3 0.3
mistral/open-mixtral-8x22b 2 6
mistral/open-mixtral-8x7b 0.7 0.7
mistral/pixtral-12b-2409 0.15 0.15
mistral/pixtral-large-2411 2 6
moonshot/kimi-k2-thinking 0.6 2.5 0.15
moonshot/kimi-k2-thinking-turbo 1.15 8 0.15
moonshot/kimi-k2-turbo-preview 1.15 8 0.15
moonshot/kimi-k2.5 0.6 3 0.1
moonshot/kimi-k2.6 0.95 4 0.16
moonshot/kimi-latest 2 5 0.15
moonshot/kimi-latest-128k 2 5 0.15
moonshot/kimi-latest-32k 1 3 0.15
moonshot/kimi-latest-8k 0.2 2 0.15
moonshot/kimi-thinking-preview 0.6 2.5 0.15
moonshot/moonshot-v1-128k 2 5
moonshot/moonshot-v1-128k-vision-preview 2 5
moonshot/moonshot-v1-32k 1 3
moonshot/moonshot-v1-32k-vision-preview 1 3
moonshot/moonshot-v1-8k 0.2 2
moonshot/moonshot-v1-8k-vision-preview 0.2 2
moonshot/moonshot-v1-auto 2 5
o1 15 60 7.5
o1-pro 150 600
o3 2 8 0.5
o3-deep-research 10 40 2.5
o3-mini 1.1 4.4 0.55
o3-pro 20 80
o4-mini 1.1 4.4 0.275
o4-mini-deep-research 2 8 0.5
xai/grok-2 2 10
xai/grok-2-vision 2 10
xai/grok-3 3 15 0.75
xai/grok-3-beta 3 15 0.75
xai/grok-3-fast-beta 5 25 1.25
xai/grok-3-fast-latest 5 25 1.25
xai/grok-3-mini 0.3 0.5 0.075
xai/grok-3-mini-beta 0.3 0.5 0.075
xai/grok-3-mini-fast 0.6 4 0.15
xai/grok-3-mini-fast-beta 0.6 4 0.15
xai/grok-4 3 15
xai/grok-4-1-fast 0.2 0.5 0.05
xai/grok-4-1-fast-non-reasoning 0.2 0.5 0.05
xai/grok-4-1-fast-reasoning 0.2 0.5 0.05
xai/grok-4-fast-non-reasoning 0.2 0.5 0.05
xai/grok-4-fast-reasoning 0.2 0.5 0.05
xai/grok-4.20-0309-reasoning 2 6 0.2
xai/grok-4.20-beta-0309-non-reasoning 2 6 0.2
xai/grok-4.20-beta-0309-reasoning 2 6 0.2
xai/grok-4.20-multi-agent-beta-0309 2 6 0.2
xai/grok-4.3 1.25 2.5 0.2 - - 2.5 5
xai/grok-4.5 2 6 0.5 - - 4 12
xai/grok-beta 5 15
xai/grok-code-fast 0.2 1.5 0.02
xai/grok-code-fast-1 0.2 1.5 0.02
xai/grok-vision-beta 5 15
zai/glm-4-32b-0414-128k 0.1 0.1
zai/glm-4.5 0.6 2.2
zai/glm-4.5-air 0.2 1.1
zai/glm-4.5-airx 1.1 4.5
zai/glm-4.5-flash 0 0
zai/glm-4.5-x 2.2 8.9
zai/glm-4.5v 0.6 1.8
zai/glm-4.6 0.6 2.2 0.11 0
zai/glm-4.7 0.6 2.2 0.11 0
zai/glm-4.7-flash 0 0 0 0
zai/glm-5 1 3.2 0.2 0
zai/glm-5-code 1.2 5 0.3 0
zai/glm-5.1 1.4 4.4 0.26 0
`
