// Which models of Amazon Bedrock are Anthropic's, and speak its language.
// https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html

/** Of Anthropic itself, of an inference profile across regions (`us.`, `global.`), or behind them in an ARN. */
const anthropicModel = /(?:^|[./])anthropic\./;
const modelCharacters = /^[\w.:/-]+$/;
/** Their names do not reveal the model behind them, so the operator is trusted. */
const ownProfile =
  /^arn:aws[\w-]*:bedrock:[\w-]*:\d*:(?:application-inference-profile|provisioned-model|imported-model)\/[\w-]+$/;

/** Whether Bedrock is asked for the model in Anthropic's language. */
export function isClaudeOnBedrock(upstreamModel: string): boolean {
  const isNamed = anthropicModel.test(upstreamModel) && modelCharacters.test(upstreamModel);
  return isNamed || ownProfile.test(upstreamModel);
}
