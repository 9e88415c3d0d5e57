/** Network devices: addresses, speed, whether the link is up, and how many frames go wrong (spec 02 §11). */
@NullMarked
package org.railyard.socklnd.link;

import org.jspecify.annotations.NullMarked;
