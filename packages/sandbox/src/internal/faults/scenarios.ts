/** Every fault that has a name, by it. */
import { connections } from "./scenarios/connections.js"
import { data } from "./scenarios/data.js"
import { foreignLinks } from "./scenarios/foreignLinks.js"
import { loops } from "./scenarios/loops.js"
import { ownLinks } from "./scenarios/ownLinks.js"
import { redirects } from "./scenarios/redirects.js"
import { refusals } from "./scenarios/refusals.js"
import { shapes } from "./scenarios/shapes.js"
import { sizes } from "./scenarios/sizes.js"

export const drafts = {
  ...foreignLinks,
  ...ownLinks,
  ...loops,
  ...redirects,
  ...connections,
  ...sizes,
  ...shapes,
  ...refusals,
  ...data,
}
