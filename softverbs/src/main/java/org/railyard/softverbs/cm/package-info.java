/** The connection managers of simulated machines, and the messages between them. */
@NullMarked
package org.railyard.softverbs.cm;

import org.jspecify.annotations.NullMarked;
