/**
 * What every transport has to do (spec 10 §22), as tests: a transport runs them again by extending the contracts here
 * and giving them an {@code LndFixture}; and a machine that tests can steer. For tests only.
 */
@NullMarked
package org.railyard.conformance;

import org.jspecify.annotations.NullMarked;
