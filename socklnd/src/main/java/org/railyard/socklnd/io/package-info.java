/** The threads that wait for sockets, and what a socket needs: ports, options, error numbers. */
@NullMarked
package org.railyard.socklnd.io;

import org.jspecify.annotations.NullMarked;
