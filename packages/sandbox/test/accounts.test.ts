import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@vigil/sandbox"

describe("the initial accounts", () => {
  it("have valid references and unique names", () => {
    const { apps, organizations, users } = Accounts.initial
    const names = users.map(({ name }) => name)
    const owners = { user: names, org: organizations.map(({ name }) => name) }
    for (const texts of [
      [...owners.user, ...owners.org],
      users.map(({ email }) => email.toLowerCase()),
      apps.map(Accounts.fullName),
      [...users, ...organizations, ...apps].map(({ id }) => id),
    ])
      expect(new Set(texts).size).toBe(texts.length)
    for (const { members, owner } of apps) {
      expect(owners[owner.type]).toContain(owner.name)
      for (const { user } of members) expect(names).toContain(user)
    }
    for (const { members } of organizations) for (const { user } of members) expect(names).toContain(user)
  })
})
