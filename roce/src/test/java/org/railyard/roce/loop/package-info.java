/** Tests of the provider: in virtual time on a network in memory, and over real sockets on loopback. */
@NullMarked
package org.railyard.roce.loop;

import org.jspecify.annotations.NullMarked;
