/**
 * The module parameters {@code networks}, {@code ip2nets} and {@code routes}: texts in which nodes were configured
 * before there was YAML (spec 12 §7).
 */
@NullMarked
package org.railyard.config.parameter;

import org.jspecify.annotations.NullMarked;
