/**
 * What every transport has to do (spec 10 §22), as tests: a transport runs them again by extending the contracts here and giving them an
 * {@code LndFixture}; and a machine that tests can steer. For tests only. Next room: {@code org.railyard.lnet.lnd}, the contract as an API.
 */
@NullMarked
package org.railyard.conformance;

import org.jspecify.annotations.NullMarked;
