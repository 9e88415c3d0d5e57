/** What a routing engine is asked and what it answers: tables, SLs, SL to VL, multicast, or a refusal; engines themselves are next door. */
@NullMarked
package org.railyard.fabric.route;

import org.jspecify.annotations.NullMarked;
