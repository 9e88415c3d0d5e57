package org.railyard.lnet.api;

/**
 * A fault rule and what it did so far (spec 10 §18).
 *
 * @param rule the rule
 * @param examined messages that its attributes fit
 * @param hit of these, messages that it dropped or delayed
 * @param put PUTs among them
 * @param ack ACKs
 * @param get GETs
 * @param reply REPLYs
 */
public record FaultRuleInfo(FaultRule rule, long examined, long hit, long put, long ack, long get, long reply) {}
