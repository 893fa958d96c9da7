/** A random text for a state, alone. */
import * as OAuthImplicit from "@vigil/oauth/OAuthImplicit"
globalThis.randomText = OAuthImplicit.makeRandomText
