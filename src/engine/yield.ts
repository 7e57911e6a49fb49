/** The engine's name for giving way to other work. */
export { delay, giveWay, inSteps, Pace } from "../base/pace.ts";
