import { byId } from "./dom.js";

/**
 * Tells those who do not see the page what has changed on it.
 * @param {string} message
 */
export function announce(message) {
  byId("announcer").textContent = message;
}
