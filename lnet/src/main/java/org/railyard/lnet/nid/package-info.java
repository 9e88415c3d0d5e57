/**
 * Names of the network: net types, nets, NIDs, process ids, their text forms, and the range and list notations of
 * configuration. Pure values; touches nothing else.
 */
@NullMarked
package org.railyard.lnet.nid;

import org.jspecify.annotations.NullMarked;
