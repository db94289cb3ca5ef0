// SPDX-License-Identifier: Apache-2.0

import UIKit

protocol CardViewDelegate: AnyObject {
    func cardView(_ cardView: CardView, didChoose name: String)
}

/// A view of which each is an object of a xib of the same name.
class CardView: UIView {
    @IBOutlet private weak var nameLabel: UILabel!
    @IBOutlet private weak var priceLabel: UILabel!
    weak var delegate: CardViewDelegate?

    @IBInspectable var radius: CGFloat = 0 {
        didSet { layer.cornerRadius = radius }
    }

    class func fromNib() -> Self {
        let name = String(describing: self)
        // swift-format-ignore: NeverForceUnwrap
        return Bundle.main.loadNibNamed(name, owner: nil, options: nil)![0] as! Self
    }

    override func awakeFromNib() {
        super.awakeFromNib()
        nameLabel.text = "awake"
    }

    func configure(name: String, price: Double) {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.currencyCode = "USD"
        formatter.locale = Locale(identifier: "en_US")
        nameLabel.text = name
        priceLabel.text = formatter.string(from: NSNumber(value: price))
    }

    @IBAction private func choose(_ sender: Any) {
        delegate?.cardView(self, didChoose: nameLabel.text ?? "")
    }
}

/// A view that puts the content of a xib into itself, as its owner.
class RatingView: UIView {
    @IBOutlet var contentView: UIView!
    @IBOutlet var progress: UIProgressView!

    override init(frame: CGRect) {
        super.init(frame: frame)
        commonInit()
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
        commonInit()
    }

    private func commonInit() {
        Bundle(for: type(of: self)).loadNibNamed("RatingView", owner: self, options: nil)
        addSubview(contentView)
        contentView.frame = self.bounds
        contentView.autoresizingMask = [.flexibleHeight, .flexibleWidth]
        progress.progress = 0.75
    }

    override var intrinsicContentSize: CGSize { CGSize(width: UIView.noIntrinsicMetric, height: 24) }
}
