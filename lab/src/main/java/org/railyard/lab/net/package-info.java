/**
 * The simulated network and the LND on it: machines, devices, rails, connections that lose and repeat frames and still
 * keep the LND's contract. Uses {@code org.railyard.lab.engine}.
 */
@NullMarked
package org.railyard.lab.net;

import org.jspecify.annotations.NullMarked;
