import { describe, expect, it } from 'vitest'
import { projectName } from './project-name.js'

describe('the name of a project', () => {
  it.each([
    ['/home/ada/shop', 'shop'],
    ['/home/ada/shop/', 'shop'],
    ['~/shop', 'shop'],
    ['C:\\Users\\ada\\shop', 'shop'],
    ['shop', 'shop'],
    ['', ''],
    ['/', '/'],
    ['9f2c1e', '9f2c1e'],
  ])('is the last part of its path: %s', (path, name) => expect(projectName(path)).toBe(name))

  it.each([
    ['/home/ada/.codex/worktrees/3/shop', 'shop'],
    ['/home/ada/.codex/worktrees/a1b2/shop', 'shop'],
    ['/home/ada/.codex/worktrees/3/shop/packages/api', 'shop'],
    ['/home/ada/shop/.git/worktrees/3', 'shop'],
    ['/home/ada/shop/.worktrees/3', 'shop'],
    ['/home/ada/shop/worktrees/3', 'shop'],
    ['/home/ada/shop/.claude/worktrees/fix-login', 'shop (fix-login)'],
    ['/home/ada/shop/.claude/worktrees/agent-a7f3c2e1', 'shop (agent-a7f3c2e1)'],
    ['/home/ada/shop/.claude/worktrees/5f0c2f0e-6c1b-4b7c-9a35-0d6f6e1f0a11', 'shop'],
    ['/home/ada/shop/.claude/worktrees/fix-login/packages/api', 'shop (fix-login)'],
    ['/home/ada/shop/.conductor/lisbon', 'shop (lisbon)'],
    ['/home/ada/conductor/workspaces/shop/lisbon', 'shop (lisbon)'],
    ['/home/ada/.cursor/worktrees/shop/x7k2p', 'shop (x7k2p)'],
    ['C:\\Users\\ada\\.codex\\worktrees\\3\\shop', 'shop'],
  ])('is that of the repository in a worktree: %s', (path, name) =>
    expect(projectName(path)).toBe(name),
  )
})
