/**
 * What channel bonding over two cards has to do when a link is lost and when a card is taken out (spec 21 §6, spec 24
 * §7), as tests with whole nodes: for what stands in for cards and for real ones.
 */
@NullMarked
package org.railyard.conformance.bond;

import org.jspecify.annotations.NullMarked;
