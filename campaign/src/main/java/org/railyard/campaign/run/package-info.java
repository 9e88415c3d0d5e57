/** How chunks are run on this machine, and what is kept of them in files so that nothing is lost. */
@NullMarked
package org.railyard.campaign.run;

import org.jspecify.annotations.NullMarked;
