/** Tests of what travels on a simulated fabric. */
@NullMarked
package org.railyard.softverbs.net;

import org.jspecify.annotations.NullMarked;
