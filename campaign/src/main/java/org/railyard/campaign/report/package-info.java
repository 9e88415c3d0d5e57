/** What all rows of a campaign say together: figures, and a page with plots. */
@NullMarked
package org.railyard.campaign.report;

import org.jspecify.annotations.NullMarked;
