/**
 * What every verbs provider has to do, as tests that each provider runs again (spec 23 sv-003). Knows providers only
 * through their contract.
 */
@NullMarked
package org.railyard.conformance.verbs;

import org.jspecify.annotations.NullMarked;
