/**
 * A verbs provider on a simulated fabric, one event per message, in virtual time and from one seed (spec 23 §3). Not
 * thread-safe: a simulation has one thread. Touches {@code org.railyard.verbs} and {@code org.railyard.fabric}.
 */
@NullMarked
package org.railyard.softverbs;

import org.jspecify.annotations.NullMarked;
