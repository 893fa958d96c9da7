/** The users, whose names and email addresses contain valid but unusual characters, and their organizations. */
import { type Organization, origins, type User } from "./model.js"
import type * as dice from "../world/dice.js"

const ada: User = {
  id: "7c0de3a5-1f7f-4c39-8a54-5d7be0c5a001",
  name: "ada",
  display_name: "Ada Operator",
  email: "ada@vigil.example",
  origin: "appcenter",
  avatar_url: null,
  can_change_password: false,
  created_at: "2023-05-09T21:07:38.069Z",
  permissions: ["manager"],
}

const others: ReadonlyArray<readonly [string, string, string]> = [
  ["grace", "Grace O'Neil", "grace.o'neil@vigil.example"],
  ["jurgen", "Jürgen Groß", "jürgen@größe.example"],
  ["ops-bot", "Ops <Bot> & Sons", "ops+alerts@vigil.example"],
  ["yuki", "雪", "雪@例え.example"],
  ["tom.tester", 'Tom "T." Tester', "tom/50%off@vigil.example"],
  ["Lin_Wu", "Lin Wu", "Lin.Wu@Vigil.Example"],
  ["zoe", "Zoë 🚀", "zoe?&=#@vigil.example"],
]

export const someTime = (random: dice.Dice): string =>
  new Date(Date.UTC(2020, 0, 1) + random.between(0, 5 * 365 * 24 * 60 * 60 - 1) * 1000).toISOString()

export const users = (random: dice.Dice): readonly [User, ...ReadonlyArray<User>] => [
  ada,
  ...others.map(([name, display_name, email], index) => ({
    id: random.guid((0xacc00002 + index).toString(16)),
    name,
    display_name,
    email,
    origin: random.pick(origins),
    avatar_url: null,
    can_change_password: random.chance(0.5),
    created_at: someTime(random),
  })),
]

/** The first user administers the first organization, belongs to the second, and has no access to the third. */
export const organizations = (random: dice.Dice): ReadonlyArray<Organization> => {
  const make = (name: string, display_name: string, members: Organization["members"]): Organization => ({
    id: random.guid("0a900000"),
    name,
    display_name,
    created_at: someTime(random),
    members,
  })
  return [
    make("fleet", "Fleet Operations", [
      { user: "ada", role: "admin" },
      { user: "ops-bot", role: "collaborator" },
    ]),
    make("north.star", "North Star & Co.", [
      { user: "grace", role: "admin" },
      { user: "ada", role: "collaborator" },
      { user: "Lin_Wu", role: "collaborator" },
    ]),
    make("black-box", 'Black "Box"', [{ user: "yuki", role: "admin" }]),
  ]
}
