export type Clock = () => Date;

/** The one clock of the product. Under NODE_ENV=test it stands still at TEST_NOW, if that is set. */
export const clock: Clock = () => {
  const { NODE_ENV, TEST_NOW } = process.env;
  return NODE_ENV === 'test' && TEST_NOW ? new Date(TEST_NOW) : new Date();
};
