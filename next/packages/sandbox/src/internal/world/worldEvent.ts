/** An event of the world, made from its story. */
import type { Resource, WorldEvent } from "./models.js"
import { defaults, type Setting, type Story } from "./story.js"

export interface Options {
  readonly setting: Setting
  readonly story: Story
  readonly vendor: string
  readonly resources: ReadonlyArray<Resource>
}

export const worldEvent = ({ resources, setting, story, vendor }: Options): WorldEvent => {
  const { dice, lastUpdate, regions, service, subscriptions, time, trackingId } = setting
  // With a spread, the whole world takes twice as long.
  const properties = Object.assign({}, defaults, { lastUpdateTime: time(lastUpdate) }, story(setting))
  const type = `/providers/${vendor}.ResourceHealth/events`
  const location = dice.chance(0.2) ? { location: "global" } : {}
  return {
    event: { id: `${type}/${trackingId}`, name: trackingId, type, ...location, properties },
    lastUpdate,
    subscriptions,
    resources: resources
      .filter((resource) => resource.service === service.name && regions.includes(resource.region))
      .filter(({ subscription }) => subscriptions.includes(subscription))
      .map(({ uri }) => uri),
  }
}
