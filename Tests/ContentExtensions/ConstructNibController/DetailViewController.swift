// SPDX-License-Identifier: Apache-2.0

import UIKit

/// A child whose xib has its view.
class DetailViewController: UIViewController {
    @IBOutlet weak var detailLabel: UILabel!

    var text: String? {
        didSet { detailLabel.text = text }
    }
}
