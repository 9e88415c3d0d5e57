/** Tests of the connection managers of simulated machines. */
@NullMarked
package org.railyard.softverbs.cm;

import org.jspecify.annotations.NullMarked;
