// Which models of Amazon Bedrock are Anthropic's and use its API.
// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html

/** Of Anthropic itself or of an inference profile across regions (`us.`, `global.`), as such or in an ARN. */
const anthropicModel =
  /^(?:arn:aws[\w-]*:bedrock:[\w-]*:\d*:[a-z-]+\/)?(?:[\w-]+\.)?anthropic\.[\w.:-]+$/;
/** Their names do not reveal the model behind them, so the operator is trusted. */
const ownProfile =
  /^arn:aws[\w-]*:bedrock:[\w-]*:\d*:(?:application-inference-profile|provisioned-model|imported-model)\/[\w-]+$/;

/** Whether Bedrock serves the model in Anthropic's language. Only an ARN has a slash in it. */
export function isClaudeOnBedrock(upstreamModel: string): boolean {
  return anthropicModel.test(upstreamModel) || ownProfile.test(upstreamModel);
}
