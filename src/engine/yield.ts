/** Giving way, by the name that the engine knows it by. */
export { delay, giveWay, inSteps, Pace } from "../base/pace.ts";
