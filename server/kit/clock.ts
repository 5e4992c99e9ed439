export type Clock = () => Date;

/** The only source of the current time. With NODE_ENV=test it returns TEST_NOW, if set. */
export const clock: Clock = () => {
  const { NODE_ENV, TEST_NOW } = process.env;
  return NODE_ENV === 'test' && TEST_NOW ? new Date(TEST_NOW) : new Date();
};
