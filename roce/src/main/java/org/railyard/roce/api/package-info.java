/** Settings and counters of verbs over UDP. */
@NullMarked
package org.railyard.roce.api;

import org.jspecify.annotations.NullMarked;
