package org.railyard.config;

import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.UdspRule;

/**
 * A selection rule as configured.
 *
 * @param rule the rule
 * @param index where it goes, −1 for the end
 * @param place where it is in the file
 */
public record RuleSpec(UdspRule rule, int index, Place place) {}
