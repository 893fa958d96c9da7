/** The apps: six that exist for every seed, and six that depend on it. */
import { type App, type Member, origins, type Owner, type Permission, permissions } from "./model.js"
import type * as dice from "../world/dice.js"
import { someTime } from "./people.js"

const systems: readonly [readonly [string, string], ...ReadonlyArray<readonly [string, string]>] = [
  ["Android", "Java"],
  ["Android", "React-Native"],
  ["iOS", "Objective-C-Swift"],
  ["iOS", "Xamarin"],
  ["macOS", "Objective-C-Swift"],
  ["Windows", "UWP"],
]

const atlasMembers = "ada manager, grace developer, jurgen viewer, tom.tester tester, ops-bot viewer, yuki viewer"

const always: ReadonlyArray<
  readonly [type: Owner["type"], owner: string, name: string, displayName: string, members: string]
> = [
  ["user", "ada", "atlas", "Atlas", atlasMembers],
  ["org", "fleet", "dispatch", "Dispatch <beta>", "Lin_Wu manager"],
  ["org", "north.star", "compass", "Compass & Chart", "ada developer, zoe tester"],
  ["user", "grace", "night.watch", "Night's Watch", "grace manager, ada viewer"],
  ["user", "jurgen", "pocket_map", "Tasche (für Karten)", "jurgen manager, ada tester"],
  ["org", "black-box", "recorder", "Recorder", "yuki manager"],
]

const member = (user: string, permission: Permission): Member => ({ user, permissions: [permission] })

const readMember = (text: string): Member => {
  const [user = "", name] = text.split(" ")
  return { user, permissions: permissions.filter((permission) => permission === name) }
}

const randomNames = ["beacon", "harbor", "lantern", "ledger", "meadow", "quarry", "signal", "tundra"]

export const apps = (
  random: dice.Dice,
  owners: readonly [Owner, ...ReadonlyArray<Owner>],
  users: ReadonlyArray<string>,
): ReadonlyArray<App> => {
  const make = (owner: Owner, name: string, display_name: string, members: ReadonlyArray<Member>) => {
    const [os, platform] = random.pick(systems)
    return {
      id: random.guid("a9900000"),
      owner,
      name,
      display_name,
      description: random.pick([null, "", `What ${display_name} does for its users.`]),
      os,
      platform,
      created_at: someTime(random),
      members,
    }
  }
  const makeAlways = ([type, owner, name, displayName, members]: (typeof always)[number]) =>
    make({ type, name: owner }, name, displayName, members.split(", ").map(readMember))
  const makeRandom = (name: string) => {
    const owner = random.pick(owners)
    const own = owner.type === "user" ? [member(owner.name, "manager")] : []
    const others = random
      .sample(users, random.between(0, 4))
      .filter((user) => owner.type === "org" || user !== owner.name)
      .map((user) => member(user, random.pick(permissions)))
    return make(owner, name, name.toUpperCase(), [...own, ...others])
  }
  // In order: another sequence of random numbers would change all following values.
  return [...always.map(makeAlways), ...random.sample(randomNames, 6).map(makeRandom)].map((app, index) => ({
    ...app,
    origin: origins[index % origins.length] ?? "appcenter",
  }))
}
