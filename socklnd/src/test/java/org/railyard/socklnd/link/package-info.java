/** Tests of what decides on addresses and links. */
@NullMarked
package org.railyard.socklnd.link;

import org.jspecify.annotations.NullMarked;
