/** Tests of the threads that do input and output. */
@NullMarked
package org.railyard.socklnd.io;

import org.jspecify.annotations.NullMarked;
