/**
 * AWS's managed rules, and which of their findings refuse a request ("Baseline rule groups", AWS WAF Developer Guide).
 * docs/runbook.md sends the requests of test/infra/firewall-requests.curl to a deployed firewall.
 */

export const countedRules = {
  AWSManagedRulesCommonRuleSet: [
    'NoUserAgent_HEADER',
    'UserAgent_BadBots_HEADER',
    'SizeRestrictions_QUERYSTRING',
    'SizeRestrictions_Cookie_HEADER',
    'SizeRestrictions_BODY',
    'SizeRestrictions_URIPATH',
    'EC2MetaDataSSRF_BODY',
    'EC2MetaDataSSRF_COOKIE',
    'EC2MetaDataSSRF_URIPATH',
    'EC2MetaDataSSRF_QUERYARGUMENTS',
    'GenericLFI_QUERYARGUMENTS',
    'GenericLFI_URIPATH',
    'GenericLFI_BODY',
    'RestrictedExtensions_URIPATH',
    'RestrictedExtensions_QUERYARGUMENTS',
    'GenericRFI_QUERYARGUMENTS',
    'GenericRFI_BODY',
    'GenericRFI_URIPATH',
    'CrossSiteScripting_COOKIE',
    'CrossSiteScripting_QUERYARGUMENTS',
    'CrossSiteScripting_BODY',
    'CrossSiteScripting_URIPATH',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    'JavaDeserializationRCE_HEADER',
    'JavaDeserializationRCE_BODY',
    'JavaDeserializationRCE_URIPATH',
    'JavaDeserializationRCE_QUERYSTRING',
    'Host_localhost_HEADER',
    'PROPFIND_METHOD',
    'ExploitablePaths_URIPATH',
    'Log4JRCE_HEADER',
    'Log4JRCE_QUERYSTRING',
    'Log4JRCE_BODY',
    'Log4JRCE_URIPATH',
    'ReactJSRCE_BODY',
  ],
} as const;

/** The labels of rules that do not inspect users' texts. */
export const refusedLabels: readonly string[] = [
  'awswaf:managed:aws:core-rule-set:BadBots_Header',
  // The API uses no cookies.
  'awswaf:managed:aws:core-rule-set:SizeRestrictions_Cookie_Header',
  'awswaf:managed:aws:core-rule-set:EC2MetaDataSSRF_Cookie',
  'awswaf:managed:aws:core-rule-set:CrossSiteScripting_Cookie',
  'awswaf:managed:aws:known-bad-inputs:JavaDeserializationRCE_Header',
  'awswaf:managed:aws:known-bad-inputs:Host_Localhost_Header',
  'awswaf:managed:aws:known-bad-inputs:Propfind_Method',
  'awswaf:managed:aws:known-bad-inputs:Log4JRCE_Header',
];
