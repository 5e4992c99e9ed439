// In the build, in place of the file with which zod makes JSON Schema: the web app makes none, and it would be 2% of the first
// screen.

const unavailable = () => {
  throw new Error('The web app makes no JSON Schema');
};

export const createToJSONSchemaMethod = () => unavailable;
export const createStandardJSONSchemaMethod = () => unavailable;
export const extractDefs = unavailable;
export const finalize = unavailable;
export const handleUnrepresentable = unavailable;
export const initializeContext = unavailable;
export const processSchema = unavailable;
